//! `file:` addresses and paths.

/// Returns the path that an address stands for; of another scheme the address itself, so that a text that lies nowhere
/// has a name.
pub(super) fn path(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else {
        return uri.to_owned();
    };
    // What stands before the path is the name of the machine, which is this one.
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("");
    let mut bytes = Vec::with_capacity(path.len());
    let mut all = path.bytes();
    while let Some(byte) = all.next() {
        let digit = |it: Option<u8>| char::from(it?).to_digit(16);
        let mut ahead = all.clone();
        match (byte, digit(ahead.next()), digit(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.extend(u8::try_from(high * 16 + low).ok());
                all = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    match path.strip_prefix('/') {
        Some(drive) if drive.as_bytes().get(1) == Some(&b':') => drive.to_owned(),
        _ => path,
    }
}

/// Returns the address of a path.
pub(super) fn of(path: &str) -> String {
    let mut uri = String::from("file://");
    let path = path.replace('\\', "/");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
