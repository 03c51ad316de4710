//! One integration binary; each module tests one thing a user relies on.
