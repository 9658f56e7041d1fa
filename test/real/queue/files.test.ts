import './mode';
import '../e2e/files.test';
