import { closeShared } from '../../../host/shared';

export default closeShared;
