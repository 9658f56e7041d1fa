// The engine tests, on the engine of the oldest n8n supported (jest.config.js puts it in place).
import '../engine/triggerReceiving.test';
