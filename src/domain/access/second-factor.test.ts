import { expect, test } from 'vitest'
import { type SecondFactors, type SecondStep, secondSteps } from './second-factor.ts'

const nothing: SecondFactors = { hasApp: false, recoveryLeft: 0, passkeys: 0 }

test.each<[SecondFactors, boolean, SecondStep[]]>([
  [nothing, false, []],
  [nothing, true, ['enrol']],
  [{ ...nothing, passkeys: 1 }, false, []],
  [{ ...nothing, passkeys: 1 }, true, ['passkey']],
  [{ hasApp: true, recoveryLeft: 10, passkeys: 0 }, false, ['totp', 'recovery']],
  [{ hasApp: true, recoveryLeft: 0, passkeys: 0 }, true, ['totp']],
  [{ hasApp: true, recoveryLeft: 1, passkeys: 2 }, true, ['totp', 'recovery', 'passkey']],
])('%o, required %s: %j', (factors, isRequired, steps) => {
  expect(secondSteps(factors, isRequired)).toEqual(steps)
})
