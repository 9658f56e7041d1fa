import '../e2e/lifecycle.test';
