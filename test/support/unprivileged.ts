// Root may write where file modes say that nobody may. A test about file modes therefore starts the
// program without that power: `earshot(place, args, { through: BOUND_BY_FILE_MODES })`.

const POWERS = '-dac_override,-dac_read_search'

export const BOUND_BY_FILE_MODES: readonly string[] =
  process.getuid?.() === 0
    ? ['setpriv', `--bounding-set=${POWERS}`, `--inh-caps=${POWERS}`, '--']
    : []
