/** The kinds of proxies: CONNECT over HTTP, the same over TLS, and SOCKS 5. */
export const PROXY_TYPES = { http: 'HTTP', https: 'HTTPS', socks5: 'SOCKS 5' } as const

export type ProxyType = keyof typeof PROXY_TYPES

/**
 * Why nothing passes by a proxy: it is switched off, is not there, is silent, wants another name or password, does not let
 * us through to where we want to, or is no proxy of its kind; or the address is none that may be called from here.
 */
export type ProxyProblem = 'inactive' | 'unreachable' | 'silent' | 'credentials' | 'refused' | 'protocol' | 'address'

/** The same in words, with what to do about it. */
export const proxyProblems: Readonly<Record<ProxyProblem, string>> = {
  inactive: 'O proxy está desativado.',
  unreachable: 'Ninguém responde neste endereço e porta. Confira os dois.',
  silent: 'O proxy demorou demais a responder.',
  credentials: 'O proxy recusou o usuário ou a senha.',
  refused: 'O proxy respondeu, mas não deixou chegar ao canal.',
  protocol: 'O que responde neste endereço não é um proxy deste tipo.',
  address: 'Este endereço não pode ser chamado daqui.',
}
