// A test that hangs ends after two minutes: n8n may be slow on a busy machine. One that may take longer names its own limit.
jest.setTimeout(120_000);
