// Jest reads a project's own time limit nowhere else: tests against a real n8n wait for whole processes to start.
jest.setTimeout(180_000);
