import { Button } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import type { Detail, Draft } from './draft.ts'

/** Card of the trial version: promote it to all new conversations, or end the trial. */
export function TrialCard({ draft, trial }: { draft: Draft; trial: NonNullable<Detail['trial']> }) {
  const [isBusy, setBusy] = useState(false)
  const { id, version: published } = draft.state.use().detail
  const { version, share } = trial
  const end = async (
    question: Parameters<typeof confirm>[0],
    op: typeof flows.promote | typeof flows.endTrial,
    done: string,
  ) => {
    if (!(await confirm(question))) return
    setBusy(true)
    await attempt(async () => {
      const after = await call(op, { params: { id } }, { quiet: true })
      draft.published(after.version, null)
    }, done)
    setBusy(false)
  }
  const promote = () =>
    end(
      {
        title: t('Publicar a versão {version} para todos?', { version }),
        text: t('Todas as conversas novas passam a segui-la. As que já começaram ficam na sua até o fim.'),
        action: t('Publicar para todos'),
        tone: 'brand',
      },
      flows.promote,
      t('Versão {version} publicada', { version }),
    )
  const goBack = () =>
    end(
      {
        title: t('Voltar à versão {published}?', { published: published ?? '' }),
        text: t('Nenhuma conversa nova começa mais na versão {version}. As que já começaram ficam nela até o fim.', {
          version,
        }),
        action: t('Voltar à versão {published}', { published: published ?? '' }),
      },
      flows.endTrial,
      t('As conversas novas seguem a versão {published}', { published: published ?? '' }),
    )
  return (
    <section className={css.trial} aria-label={t('Versão para uma parte')}>
      <p>
        <b>{t('Versão {version}: {share} % das conversas novas', { version, share })}</b>
      </p>
      <p>{t('As outras seguem a versão {published}.', { published: published ?? '' })}</p>
      <div className={css.two}>
        <Button size="sm" disabled={isBusy} onClick={() => void promote()}>
          {t('Para todos')}
        </Button>
        <Button size="sm" variant="default" disabled={isBusy} onClick={() => void goBack()}>
          {t('Voltar')}
        </Button>
      </div>
    </section>
  )
}
