import { stopAll } from '../../../lab/simulator/running';

// A test that failed does not get to stop what it has started, and an open server would keep jest alive.
afterAll(stopAll);
