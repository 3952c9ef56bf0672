/** Returns the Portuguese instructions to install an optional package that a channel needs. */
export const howToInstall = (name: string): string =>
  `Instale o pacote opcional “${name}” (npm install) e reinicie o produto.`
