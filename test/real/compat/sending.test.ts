import '../e2e/sending.test';
