import './mode';
import '../e2e/sendingMatrix.test';
