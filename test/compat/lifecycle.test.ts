import './mode';
import '../e2e/lifecycle.test';
