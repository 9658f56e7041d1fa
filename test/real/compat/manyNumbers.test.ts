import '../e2e/manyNumbers.test';
