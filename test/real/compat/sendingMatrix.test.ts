import '../e2e/sendingMatrix.test';
