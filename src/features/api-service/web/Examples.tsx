import { Modal } from '@mantine/core'
import { t } from '#web/t.ts'
import { CopyButton } from '#web/ui/inputs/CopyButton.tsx'
import type { ApiKey } from '../contract.ts'
import css from './api-service.module.css'

/** Dialog with example requests for a key, complete except for the token. */
export function Examples({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} size={640} title={t('Como usar “{name}”', { name: apiKey.name })}>
      <div className={css.examples}>
        <p>
          {t(
            'O número vale em qualquer grafia, com ou sem 55 e nono dígito. Um pedido repetido com a mesma externalKey recebe a primeira resposta, e nada é enviado de novo.',
          )}
        </p>
        {examplesOf(apiKey).map(({ title, code }) => (
          <section key={title} aria-label={title}>
            <header>
              <b>{title}</b>
              <CopyButton label={t('Copiar')} text={() => code} />
            </header>
            <pre>{code}</pre>
          </section>
        ))}
        <p>
          {t(
            'No n8n, use o nó HTTP Request: método POST, autenticação por cabeçalho (Authorization: Bearer e o token), corpo em JSON como acima. Para reagir ao que chega, use o nó Webhook com um endereço em Configurações, Webhooks.',
          )}
        </p>
        <p>
          {t(
            'Por MCP o assistente tem as ferramentas que as permissões da chave deixam. O que envia a muitos, exclui ou muda filas, usuários e configurações espera em Aprovações.',
          )}
        </p>
        <p>
          <a href="/v2/api/external/openapi.json" target="_blank" rel="noreferrer">
            {t('Todas as operações, em OpenAPI')}
          </a>
        </p>
      </div>
    </Modal>
  )
}

function examplesOf({ id }: ApiKey): { title: string; code: string }[] {
  const base = `${location.origin}/v2/api/external/${id}`
  const request = (path: string, body: object) => requestTo(`${base}${path}`, body)
  const server = { type: 'http', url: `${location.origin}/api/mcp`, headers: { Authorization: t('Bearer SEU_TOKEN') } }
  return [
    {
      title: t('Enviar um texto'),
      code: request('', {
        number: '11 91234-5678',
        body: t('Seu pedido saiu para entrega.'),
        externalKey: 'pedido-1001',
      }),
    },
    {
      title: t('Enviar um arquivo'),
      code: request('/url', {
        number: '11912345678',
        mediaUrl: 'https://exemplo.com.br/boleto.pdf',
        body: t('Seu boleto'),
      }),
    },
    {
      title: t('Abrir um atendimento'),
      code: request('/createTicket', { number: '11912345678', body: t('Podemos ajudar?') }),
    },
    { title: t('Ver o atendimento de um número'), code: request('/showticket', { number: '11912345678' }) },
    {
      title: t('Usar num assistente de IA (MCP)'),
      code: JSON.stringify({ mcpServers: { guiche: server } }, null, 2),
    },
  ]
}

const requestTo = (address: string, body: object): string =>
  [
    `curl -X POST '${address}'`,
    ...[t('Authorization: Bearer SEU_TOKEN'), 'content-type:application/json'].map((header) => `  -H '${header}'`),
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n')
