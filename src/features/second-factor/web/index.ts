import type { WebFeature } from '#web/shell/screens.ts'
import { secondFactorErrors } from '../errors.ts'

export { CodeInput, Enrolment } from './enrolment.tsx'
export { PasskeysSection } from './PasskeysSection.tsx'
export { RecoveryCodes } from './RecoveryCodes.tsx'
export { SecondFactorSection } from './SecondFactorSection.tsx'

/** What a browser knows of second factors. */
export const secondFactorWeb: WebFeature = { errors: secondFactorErrors }
