import css from '#web/shell/line-bar.module.css'
import { plural, t } from '#web/t.ts'
import { DelayIcon, RefreshIcon } from '#web/ui/icons.ts'
import type { Told } from './delay-notice.tsx'

const causes = {
  disk: t('o disco do servidor está cheio ou com defeito'),
  database: t('o banco de dados não responde como deveria'),
  other: t('o servidor encontrou uma falha'),
}

/** The words of a delay: to everybody that nothing is lost, to those who can act what is wrong. */
export function DelayBar({ cause, companies }: NonNullable<Told>) {
  const where =
    companies === null ? '' : ` ${t('em {companies}', { companies: plural(companies, 'empresa', 'empresas') })}`
  return (
    <div className={css.bar} role="status">
      <DelayIcon size={18} />
      <span>
        <b>
          {t('As mensagens estão demorando a entrar')}
          {where}
          {cause ? `: ${causes[cause]}.` : '.'}
        </b>{' '}
        {cause === 'disk'
          ? t('Nada se perde; com espaço livre no servidor, elas entram sozinhas.')
          : t('Nada se perde; elas aparecem assim que o sistema se recuperar.')}
      </span>
      <span className={css.trying}>
        <RefreshIcon size={16} />
        {t('tentando')}
      </span>
    </div>
  )
}
