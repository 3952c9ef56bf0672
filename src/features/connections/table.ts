import { PROXY_TYPES } from '#domain/connections/proxies.ts'
import type { ProviderFields } from '#kit/provider.ts'
import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Fields of a proxy; the password is sent only to the host that it was entered for. */
export const proxyFields = {
  name: { label: 'Nome', kind: 'text', required: true, max: 60, hint: 'Como a equipe o vê ao escolher.' },
  type: { label: 'Tipo', kind: 'choice', options: PROXY_TYPES, required: true, default: 'socks5' },
  host: { label: 'Endereço', kind: 'text', format: 'host', required: true, asksAgain: true },
  port: {
    label: 'Porta',
    kind: 'number',
    whole: true,
    isName: true,
    min: 1,
    max: 65_535,
    required: true,
    asksAgain: true,
  },
  username: { label: 'Usuário', kind: 'text', max: 255, hint: 'Em branco quando o proxy não pede.' },
  password: { label: 'Senha', kind: 'secret', max: 255, again: 'Informe a senha de novo: o endereço mudou.' },
  isActive: {
    label: 'Ativo',
    kind: 'boolean',
    default: true,
    hint: 'Inativo, os canais que saem por ele esperam: nenhum sai direto.',
  },
} as const satisfies ProviderFields

const { name, type, host, port, username, isActive } = proxyFields

/** Table definition of proxies, for list, filters and SQL. */
export const proxyTable = {
  table: 'proxies',
  title: 'Proxies',
  singular: 'Proxy',
  gender: 'm',
  fields: {
    name,
    type: { ...type, filter: true },
    host,
    port,
    username,
    isActive: { ...isActive, column: 'is_active', filter: true },
  },
  search: ['name', 'host'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec
