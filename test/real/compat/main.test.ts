import '../e2e/main.test';
