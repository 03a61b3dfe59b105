//! Durations and sizes of memory, as people write them: `500 ms`, `1.5s`, `2 min`, `512 MiB`, `1GB`.

use std::time::Duration;

/// Maximum length in seconds: 1000 days. Longer limits are typing mistakes.
const LONGEST: f64 = 1000.0 * 24.0 * 3600.0;

/// A positive duration: a number and a unit (`us`, `ms`, `s`, `min`, `h`). The error says what is expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = "expected a number and a unit (`ms`, `s`, `min`, `h`), such as `10s` or `500 ms`";
    let (number, unit) = split(text).ok_or(expected)?;
    let seconds = match unit.to_ascii_lowercase().as_str() {
        "us" | "µs" | "microsecond" | "microseconds" => 1e-6,
        "ms" | "millisecond" | "milliseconds" => 1e-3,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        _ => return Err(expected.to_owned()),
    };
    let total = number * seconds;
    if total < 1e-6 {
        return Err("expected a duration of at least `1 us`".to_owned());
    }
    if total > LONGEST {
        return Err("expected a duration of at most 1000 days".to_owned());
    }
    Duration::try_from_secs_f64(total).map_err(|_| expected.to_owned())
}

/// A positive number of bytes: a number and a unit (`KiB`, `MiB`, `GiB`, or `KB`, `MB`, `GB`). The error says what is
/// expected.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let expected = "expected a number and a unit (`KiB`, `MiB`, `GiB`), such as `512 MiB`";
    let (number, unit) = split(text).ok_or(expected)?;
    let bytes = match unit.to_ascii_lowercase().as_str() {
        "b" | "byte" | "bytes" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        "tib" => 1_099_511_627_776.0,
        _ => return Err(expected.to_owned()),
    };
    let total = (number * bytes).round();
    if !(1.0..9e18).contains(&total) {
        return Err("expected a size between one byte and a million terabytes".to_owned());
    }
    Ok(total as u64)
}

/// The number at the start and the following word.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number = number.replace('_', "");
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_every_usual_spelling() {
        for (text, millis) in
            [("10s", 10_000), ("500 ms", 500), ("1.5s", 1500), ("2 min", 120_000), (" 1 h ", 3_600_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "10", "s", "-1s", "1e3s", "0s", "1..5s", "10 parsecs", "99999999h", "1 s s", "∞s"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_read_in_every_usual_spelling() {
        for (text, bytes) in [("512 MiB", 512 << 20), ("1GB", 1_000_000_000), ("1.5 KiB", 1536), ("7 b", 7)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "512", "MiB", "0 MiB", "1 EiB", "99999999999999 TiB", "-1 MiB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
