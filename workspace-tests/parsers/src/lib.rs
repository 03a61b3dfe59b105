//! Round trips: what is written is read again, and what is read is written again. `None` if a text is not read at all.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, percent_encode, utf8_percent_encode};

fn written(rows: &[Vec<String>], delimiter: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("a vector takes all bytes");
    }
    writer.into_inner().expect("a vector takes all bytes")
}

fn read(text: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text);
    let row = |row: Result<csv::StringRecord, csv::Error>| row.expect("it is text").iter().map(str::to_owned).collect();
    reader.records().map(row).collect()
}

pub fn csv_value(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    read(&written(&rows, b','), b',')
}

pub fn csv_delimited(rows: Vec<Vec<String>>, delimiter: u8) -> Vec<Vec<String>> {
    read(&written(&rows, delimiter), delimiter)
}

pub fn csv_field(field: &str) -> Vec<Vec<String>> {
    read(field.as_bytes(), b',')
}

/// Whether rows that were read are read again.
pub fn csv_twice(text: &str) -> bool {
    let rows = read(text.as_bytes(), b',');
    // The mark at the start of a text is known to be lost: it is what `csv_value` finds.
    rows.first().is_some_and(|row| row[0].starts_with('\u{feff}')) || read(&written(&rows, b','), b',') == rows
}

fn after(seconds: u64, nanos: u32) -> SystemTime {
    UNIX_EPOCH + Duration::new(seconds, nanos)
}

pub fn http_value(seconds: u64) -> Option<u64> {
    let time = httpdate::parse_http_date(&httpdate::fmt_http_date(after(seconds, 0))).ok()?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

pub fn http_text(s: &str) -> Option<String> {
    httpdate::parse_http_date(s).ok().map(httpdate::fmt_http_date)
}

pub fn duration_value(seconds: u64, nanos: u32) -> Option<(u64, u32)> {
    let text = humantime::format_duration(Duration::new(seconds, nanos)).to_string();
    let duration = humantime::parse_duration(&text).ok()?;
    Some((duration.as_secs(), duration.subsec_nanos()))
}

/// Whether a duration that was read is read again.
pub fn duration_text(s: &str) -> bool {
    let Ok(duration) = humantime::parse_duration(s) else { return true };
    humantime::parse_duration(&humantime::format_duration(duration).to_string()) == Ok(duration)
}

pub fn time_value(seconds: u64, nanos: u32) -> Option<(u64, u32)> {
    let text = humantime::format_rfc3339_nanos(after(seconds, nanos)).to_string();
    let since = humantime::parse_rfc3339(&text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((since.as_secs(), since.subsec_nanos()))
}

/// Whether a time that was read is read again.
pub fn time_text(s: &str) -> bool {
    let Ok(time) = humantime::parse_rfc3339(s) else { return true };
    humantime::parse_rfc3339(&humantime::format_rfc3339_nanos(time).to_string()) == Ok(time)
}

pub fn percent_bytes(bytes: Vec<u8>) -> Vec<u8> {
    percent_decode_str(&percent_encode(&bytes, NON_ALPHANUMERIC).to_string()).collect()
}

pub fn percent_text(s: &str) -> Option<String> {
    let text = utf8_percent_encode(s, NON_ALPHANUMERIC).to_string();
    percent_decode_str(&text).decode_utf8().ok().map(|text| text.into_owned())
}

pub fn roman_value(n: i32) -> Option<i32> {
    roman::from(&roman::to(n)?)
}

pub fn roman_text(s: &str) -> Option<String> {
    roman::from(s).and_then(roman::to)
}

/// The value of a key, after it was written and read.
fn of_ini(section: &str, key: &str, value: &str) -> Option<String> {
    let mut written = ini::Ini::new();
    written.with_section(Some(section)).set(key, value);
    let mut text = Vec::new();
    written.write_to(&mut text).ok()?;
    let read = ini::Ini::load_from_str(&String::from_utf8(text).ok()?).ok()?;
    read.get_from(Some(section), key).map(str::to_owned)
}

pub fn ini_value(section: &str, key: &str, value: &str) -> Option<String> {
    of_ini(section, key, value)
}

pub fn ini_key(section: &str, key: &str, value: &str) -> Option<String> {
    of_ini(section, key, value)
}

pub fn ini_section(section: &str, key: &str, value: &str) -> Option<String> {
    of_ini(section, key, value)
}

/// Whether what was read is read again.
pub fn ini_twice(text: &str) -> bool {
    let all = |ini: &ini::Ini| {
        let of_section = |(section, values): (Option<&str>, &ini::Properties)| {
            let values = values.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect::<Vec<_>>();
            (section.map(str::to_owned), values)
        };
        ini.iter().map(of_section).filter(|(_, values)| !values.is_empty()).collect::<Vec<_>>()
    };
    let Ok(first) = ini::Ini::load_from_str(text) else { return true };
    let mut written = Vec::new();
    if first.write_to(&mut written).is_err() {
        return false;
    }
    let again = String::from_utf8(written).ok().and_then(|text| ini::Ini::load_from_str(&text).ok());
    again.is_some_and(|again| all(&again) == all(&first))
}

pub fn version_value(major: u64, minor: u64, patch: u64) -> Option<(u64, u64, u64)> {
    let version = semver::Version::parse(&semver::Version::new(major, minor, patch).to_string()).ok()?;
    Some((version.major, version.minor, version.patch))
}

pub fn version_text(s: &str) -> Option<String> {
    semver::Version::parse(s).ok().map(|version| version.to_string())
}

pub fn version_odd(s: &str) -> Option<String> {
    version_text(s)
}

/// Whether a requirement that was read is read again.
pub fn requirement_text(s: &str) -> bool {
    let Ok(requirement) = semver::VersionReq::parse(s) else { return true };
    semver::VersionReq::parse(&requirement.to_string()).is_ok_and(|again| again == requirement)
}

pub fn words_value(words: Vec<String>) -> Option<Vec<String>> {
    shlex::split(&shlex::try_join(words.iter().map(String::as_str)).ok()?)
}

/// Whether words that were read are read again.
pub fn words_twice(text: &str) -> bool {
    let Some(words) = shlex::split(text) else { return true };
    words.iter().any(|word| word.contains('\0')) || words_value(words.clone()) == Some(words)
}

/// Whether an address is read, and read again from what is written.
pub fn url_text(s: &str) -> bool {
    url::Url::parse(s).is_ok_and(|url| url::Url::parse(url.as_str()) == Ok(url))
}

/// Whether what was read is read again from what is written; `None` if the text is not read at all.
pub fn url_odd(s: &str) -> Option<bool> {
    let url = url::Url::parse(s).ok()?;
    Some(url::Url::parse(url.as_str()) == Ok(url))
}

/// The same for a reference from another address.
pub fn url_joined(s: &str) -> Option<bool> {
    let url = url::Url::parse("http://a/b/c?d").ok()?.join(s).ok()?;
    Some(url::Url::parse(url.as_str()) == Ok(url))
}

/// Whether an address with another path and query is read again.
pub fn url_path(path: &str, query: &str) -> bool {
    let Ok(mut url) = url::Url::parse("http://a/") else { return false };
    url.set_path(path);
    url.set_query(Some(query));
    url::Url::parse(url.as_str()) == Ok(url)
}

pub fn uuid_text(s: &str) -> Option<String> {
    uuid::Uuid::parse_str(s).ok().map(|id| id.to_string())
}

/// Whether a number is read again from all its forms.
pub fn uuid_value(n: u128) -> bool {
    let id = uuid::Uuid::from_u128(n);
    let forms = [id.to_string(), id.simple().to_string(), id.urn().to_string(), id.braced().to_string(), format!("{id:X}")];
    forms.iter().all(|form| uuid::Uuid::parse_str(form) == Ok(id))
}

/// Whether what was read is read again; `None` if the text is not read at all.
pub fn uuid_odd(s: &str) -> Option<bool> {
    let id = uuid::Uuid::parse_str(s).ok()?;
    Some(uuid::Uuid::parse_str(&id.to_string()) == Ok(id))
}
