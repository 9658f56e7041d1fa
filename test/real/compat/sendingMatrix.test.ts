import '../alone/sendingMatrix.test';
