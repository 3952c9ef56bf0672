/** Second step of a login: a code of the app, a recovery code, a passkey, or enrolment of an app. */
export type SecondStep = 'totp' | 'recovery' | 'passkey' | 'enrol'

/** Second factors of a user. */
export type SecondFactors = { readonly hasApp: boolean; readonly recoveryLeft: number; readonly passkeys: number }

/**
 * Returns the second steps that a login needs; none where the first factor is enough. Setup is only offered without any
 * factor: otherwise a stolen password could replace the passkey that protects it.
 */
export function secondSteps({ hasApp, recoveryLeft, passkeys }: SecondFactors, isRequired: boolean): SecondStep[] {
  const passkey: SecondStep[] = passkeys > 0 ? ['passkey'] : []
  if (hasApp) return ['totp', ...(recoveryLeft > 0 ? (['recovery'] as const) : []), ...passkey]
  if (!isRequired) return []
  return passkey.length > 0 ? passkey : ['enrol']
}
