import '../e2e/security.test';
