/** Error of a call to an outside system. */
type Failed = { readonly code: string; readonly details?: Readonly<Record<string, unknown>> | undefined }

/** Returns a display text for a URL that a call did not reach. */
export function reachProblem(host: string, { code, details = {} }: Failed): string {
  const { reason, why } = details
  if (code === 'ERR_ADDRESS_REFUSED')
    return `O endereço ${host} não pode ser usado daqui: fica numa rede privada que não foi permitida (OUTBOUND_ALLOW).`
  if (reason === 'unreached')
    return unreached[String(why)]?.(host) ?? `Ninguém atende em ${host}. Confira o endereço e a porta.`
  if (reason === 'timeout') return `${host} não respondeu a tempo. Tente de novo, ou confira o endereço.`
  return `A conexão com ${host} caiu antes da resposta. Tente de novo.`
}

const unreached: Readonly<Record<string, (host: string) => string>> = {
  name: (host) => `O servidor ${host} não foi encontrado. Confira o endereço.`,
  time: (host) => `${host} não respondeu a tempo. Confira o endereço e a porta.`,
  certificate: (host) => `O certificado de ${host} não é confiável ou é de outro servidor.`,
  protocol: (host) => `Em ${host} não se fala https. Confira a porta, ou comece o endereço com http://.`,
}
