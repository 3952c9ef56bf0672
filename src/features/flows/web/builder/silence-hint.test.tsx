import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Direction } from '#domain/flow/flow.ts'
import { type Names, NamesProvider } from './names.ts'
import { SilenceHint } from './SilenceHint.tsx'

const names: Names = {
  ...{ assistants: [], flowId: 1, tags: [], stages: [], pipelineStages: [], calendars: [], reasons: [], flows: [] },
  queues: [{ id: 4, name: 'Assistência' }],
  users: [{ id: 5, name: 'Bia' }],
  connections: [{ id: 6, name: 'Loja', type: 'test' }],
}

test.each<[Direction, string]>([
  [{ to: 'queue', queueId: 4 }, 'vai para a fila Assistência'],
  [{ to: 'queue', queueId: null }, 'vai para a fila do canal'],
  [{ to: 'user', userId: 5 }, 'vai para Bia'],
  [{ to: 'channel', connectionId: 6 }, 'continua no canal Loja'],
  [{ to: 'close', text: 'Tchau' }, 'o atendimento é encerrado'],
])('of %j a step says where whoever does not answer goes', (direction, where) => {
  const silence = { afterMs: 90_000, direction, text: '', warning: '' }
  const drawn = renderToStaticMarkup(
    <NamesProvider value={names}>
      <SilenceHint silence={silence} />
    </NamesProvider>,
  )
  expect(drawn).toContain(`Sem resposta em 1,5 min: ${where}, como diz Configurações.`)
})
