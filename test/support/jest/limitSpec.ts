// A test that hangs ends after a minute. One that may take longer names its own limit.
jest.setTimeout(60_000);
