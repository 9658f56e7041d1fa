import '../e2e/asking.test';
