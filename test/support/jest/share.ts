import { openShared } from '../../../host/shared';

export default openShared;
