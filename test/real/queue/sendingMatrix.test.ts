import './mode';
import '../alone/sendingMatrix.test';
