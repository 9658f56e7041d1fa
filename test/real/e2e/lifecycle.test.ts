import { describeLifecycle } from '../lifecycle';

describeLifecycle(true);
