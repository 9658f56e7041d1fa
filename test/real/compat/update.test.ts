import '../e2e/update.test';
