import './mode';
import '../e2e/asking.test';
