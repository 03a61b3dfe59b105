//! Codecs of structs and enums: a list of the fields, or of the variants with their numbers.

/// Lists every field.
macro_rules! codec_struct {
    ($type:ident { $($field:ident),* }) => {
        impl $crate::logic::codec::Codec for $type {
            fn write(&self, out: &mut Vec<u8>) {
                $($crate::logic::codec::Codec::write(&self.$field, out);)*
            }

            fn read(input: &mut $crate::logic::codec::Reader) -> Result<$type, $crate::logic::codec::DecodeError> {
                Ok($type { $($field: $crate::logic::codec::Codec::read(input)?),* })
            }
        }
    };
}

/// Lists every variant as `number => Variant`, `number => Variant(a, b)` or `number => Variant { a, b }`.
macro_rules! codec_enum {
    ($type:ident { $($number:literal => $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?,)* }) => {
        impl $crate::logic::codec::Codec for $type {
            fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $($type::$variant $(($($part),*))? $({ $($field),* })? => {
                        out.push($number);
                        $($($crate::logic::codec::Codec::write($part, out);)*)?
                        $($($crate::logic::codec::Codec::write($field, out);)*)?
                    })*
                }
            }

            fn read(input: &mut $crate::logic::codec::Reader) -> Result<$type, $crate::logic::codec::DecodeError> {
                Ok(match <u8 as $crate::logic::codec::Codec>::read(input)? {
                    $($number => {
                        $($(let $part = $crate::logic::codec::Codec::read(input)?;)*)?
                        $($(let $field = $crate::logic::codec::Codec::read(input)?;)*)?
                        $type::$variant $(($($part),*))? $({ $($field),* })?
                    })*
                    _ => return Err($crate::logic::codec::DecodeError(concat!("there is no such variant of ", stringify!($type)))),
                })
            }
        }
    };
}

pub(crate) use {codec_enum, codec_struct};
