import '../e2e/lifecycle.test';
import '../alone/lifecycle.test';
