import '../e2e/hearing.test';
