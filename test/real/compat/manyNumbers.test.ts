import '../weekly/manyNumbers.test';
