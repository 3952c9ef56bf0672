/** Returns the nonce that the server wrote into the page; styles made at run time carry it (content security policy). */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
