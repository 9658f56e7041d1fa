// ESLint as n8n's scan for verified packages uses it.
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';

export default await buildScanConfig();
