export { CodeInput, Enrolment } from './enrolment.tsx'
export { PasskeysSection } from './PasskeysSection.tsx'
export { RecoveryCodes } from './RecoveryCodes.tsx'
export { SecondFactorSection } from './SecondFactorSection.tsx'
