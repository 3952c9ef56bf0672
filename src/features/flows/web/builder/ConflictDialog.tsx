import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { flows } from '../../addresses.ts'
import css from './conflict.module.css'
import type { Draft } from './draft.ts'

/** Dialog that resolves a conflict between this draft and another editor's; neither is lost. */
export function ConflictDialog({ draft }: { draft: Draft }) {
  const [isBusy, setBusy] = useState(false)
  const choose = (work: () => Promise<void>) => async () => {
    setBusy(true)
    await attempt(work)
    setBusy(false)
  }
  const copy = async () => {
    const { document, detail } = draft.state.get()
    const name = t('{name} (minha cópia)', { name: detail.name.slice(0, 80) })
    const { id } = await call(flows.create, { body: { name, isActive: false } }, { quiet: true })
    await call(flows.import, { params: { id }, body: document }, { quiet: true })
    await draft.takeTheirs()
    notify({ tone: 'pos', title: t('O seu rascunho está em “{name}”', { name }) })
  }
  const choices = [
    [t('Usar a versão da outra pessoa'), t('O seu rascunho volta com Desfazer.'), draft.takeTheirs],
    [
      t('Salvar o meu como cópia'),
      t('O seu rascunho vira um chatbot novo, desligado; aqui fica a versão da outra pessoa.'),
      copy,
    ],
    [t('Ficar com o meu'), t('O rascunho da outra pessoa é trocado pelo seu.'), draft.saveMine],
  ] as const
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      size={480}
      title={t('O fluxo foi alterado por outra pessoa')}
    >
      <p>
        {t('Enquanto você trabalhava, alguém salvou outro rascunho deste fluxo. Nada se perdeu: escolha o que fica.')}
      </p>
      <ul className={css.choices}>
        {choices.map(([label, text, run], index) => (
          <li key={label}>
            <Button
              variant={index === 0 ? 'light' : 'default'}
              fullWidth
              disabled={isBusy}
              onClick={() => void choose(run)()}
            >
              {label}
            </Button>
            <small>{text}</small>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
