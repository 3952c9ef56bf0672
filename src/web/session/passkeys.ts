/** Whether this browser can make and use passkeys at this address: https or localhost, and a name rather than a number. */
export function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|:/.test(location.hostname)
  return isSecureContext && !isNumber && typeof PublicKeyCredential !== 'undefined'
}
