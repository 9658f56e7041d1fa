import '../e2e/relaying.test';
