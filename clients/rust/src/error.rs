use serde_json::Value;
use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong.
#[derive(Clone, Debug)]
pub enum Error {
    /// The server cannot be started, has ended, or gave no answer.
    Server(String),
    /// The server answered with an error: its code, and usually a Status.
    Answer { request: String, code: u16, body: Value },
}

impl Error {
    /// The code of an answer that is an error, as 404.
    pub fn code(&self) -> Option<u16> {
        match self {
            Error::Server(_) => None,
            Error::Answer { code, .. } => Some(*code),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Server(message) => f.write_str(message),
            Error::Answer { request, code, body } => match body.get("message").unwrap_or(body) {
                Value::String(text) => write!(f, "{request}: {code}: {text}"),
                other => write!(f, "{request}: {code}: {other}"),
            },
        }
    }
}

impl std::error::Error for Error {}
