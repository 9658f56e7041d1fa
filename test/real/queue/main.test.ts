import './mode';
import '../e2e/main.test';
