import { openShared } from '../../../lab/host/shared';

export default openShared;
