export { CodeInput, Enrolment } from './enrolment.tsx'
export { PasskeysSection } from './passkeys-section.tsx'
export { RecoveryCodes } from './recovery-codes.tsx'
export { SecondFactorSection } from './second-factor-section.tsx'
