/** Proxy types: HTTP CONNECT, the same over TLS, and SOCKS 5. */
export const PROXY_TYPES = { http: 'HTTP', https: 'HTTPS', socks5: 'SOCKS 5' } as const

export type ProxyType = keyof typeof PROXY_TYPES

/**
 * Reason why a proxy fails: inactive, unreachable, no answer, wrong credentials, target refused, wrong protocol, or an
 * address that may not be called from here.
 */
export type ProxyProblem = 'inactive' | 'unreachable' | 'silent' | 'credentials' | 'refused' | 'protocol' | 'address'

/** Display texts of proxy problems, with advice. */
export const proxyProblems: Readonly<Record<ProxyProblem, string>> = {
  inactive: 'O proxy está desativado.',
  unreachable: 'Ninguém responde neste endereço e porta. Confira os dois.',
  silent: 'O proxy demorou demais a responder.',
  credentials: 'O proxy recusou o usuário ou a senha.',
  refused: 'O proxy respondeu, mas não deixou chegar ao canal.',
  protocol: 'O que responde neste endereço não é um proxy deste tipo.',
  address: 'Este endereço não pode ser chamado daqui.',
}
