import '../weekly/relaying.test';
