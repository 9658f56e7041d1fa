import './mode';
import '../e2e/badInput.test';
