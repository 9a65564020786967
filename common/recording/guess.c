/* Working out from trace what unit sent it.  See guess.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/guess.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How much of a buffer is decoded for each trial: enough for what trace repeats, and no
   more than decodes in the blink of an eye.  A multiple of frames and of DSTREAM's
   blocks.  */
#define TRIED ((uint64_t) 512 << 10)

/* What speaks against the packets: bytes without synchronisation, and each reserved packet
   as so many of them.  */
#define BAD_COST 64

/* What speaks against the path: each place where the code contradicts as so many where no
   code is; code may be missing in all trials alike.  */
#define CONTRADICTION_COST 16

/* For something else than what most units have, more must go away than this part of what
   speaks against that.  */
#define GAIN 64

/* Fewer are of every protocol; one more is what the end of the trace cuts off.  */
#define PACKET_TYPES 64

/* More rounds over the settings change nothing more.  */
#define ROUNDS 3

/* What all trials on one source have in common.  */
struct trials
{
  const struct tb_decoder_config *config;
  struct tb_trace_buffer buffer;	/* The first TRIED bytes of the real one.  */
  struct tb_span *spans;
  unsigned id;
  bool reads_code;		/* For what it says of the core.  */
  struct tb_guess_effort *effort;
};

/* Let SEARCH have the first bytes of BUFFER.  False: no memory.  */
static bool
cut_buffer (struct trials *search, const struct tb_trace_buffer *buffer, uint64_t most)
{
  search->buffer = *buffer;
  search->spans = calloc (buffer->nspans + 1, sizeof *search->spans);
  if (search->spans == NULL)
    return false;
  search->buffer.spans = search->spans;
  search->buffer.nspans = 0;
  search->buffer.size = 0;
  for (size_t i = 0; i < buffer->nspans && most > 0; i++)
    {
      struct tb_span span = buffer->spans[i];
      if (span.size > most)
	span.size = (size_t) most;
      most -= span.size;
      search->buffer.size += span.size;
      search->spans[search->buffer.nspans++] = span;
    }
  return true;
}

/* Note in TRIAL what the code of RANGE in MAP says of the core.  */
static void
read_code (struct tb_trial *trial, const struct tb_memmap *map, const struct tb_element *range)
{
  uint64_t length;
  const uint8_t *code = tb_memmap_at (map, range->space, range->u.range.start, &length, NULL);
  if (code == NULL || range->isa != TB_ISA_A64 || trial->own_registers)
    return;
  length = length / 4 < range->u.range.count ? length / 4 : range->u.range.count;
  trial->own_registers = tb_guess_reads_unit (code, length);
}

/* Count what decoding shows.  MAP, which may be NULL: what the code in it shows, too.  */
static void
count_elements (struct tb_trial *trial, struct tb_decoder *decoder, const struct tb_memmap *map)
{
  struct tb_element elements[64];
  size_t n;
  bool returned = false;	/* The last instruction did so.  */
  while ((n = decoder->read (decoder, elements, 64)) > 0)
    for (size_t i = 0; i < n; i++)
      switch (elements[i].kind)
	{
	case TB_ELEMENT_RANGE:
	  trial->returns += returned;
	  returned = elements[i].isa == TB_ISA_A64
		     && elements[i].last_sub == TB_SUB_ERET
		     && (elements[i].flags & TB_RANGE_EXECUTED);
	  trial->instructions += elements[i].u.range.count;
	  trial->waypoints++;
	  if (map != NULL)
	    read_code (trial, map, &elements[i]);
	  break;
	case TB_ELEMENT_NO_CODE:
	  trial->lost++;
	  trial->waypoints++;
	  break;
	case TB_ELEMENT_EXCEPTION_RETURN:
	  trial->told_returns++;
	  returned = false;
	  break;
	}
}

void
tb_guess_make_source (const struct tb_guess *guess, struct tb_guess_source *source)
{
  const struct tb_kind *kind = guess->kind;
  for (unsigned i = 0; i < kind->nregisters; i++)
    {
      for (unsigned k = 0; k < 4; k++)
	source->bytes[i][k] = (uint8_t) (guess->values[i] >> 8 * k);
      source->regs[i] = (struct tb_device_reg) {
	.name = kind->registers[i].name, .has_id = true, .id = kind->registers[i].id,
	.bits = 32, .value = guess->values[i], .bytes = source->bytes[i]
      };
    }
  source->device = (struct tb_device) {
    .name = "trial", .file = "trial", .class = TB_CLASS_TRACE_SOURCE,
    .class_name = "trace_source", .type = kind->type, .location = "", .cluster = "",
    .regs = source->regs, .nregs = kind->nregisters
  };
}

/* Decode as GUESS says.  False: no memory, or the effort is spent.  */
static bool
try (const struct trials *search, struct tb_guess *guess)
{
  if (search->buffer.size > search->effort->bytes)
    {
      search->effort->spent = true;
      return false;
    }
  search->effort->bytes -= search->buffer.size;
  guess->trial = (struct tb_trial) { 0 };
  if (guess->kind->nregisters > 0 && search->id < TB_TRACE_IDS)
    guess->values[0] = (guess->values[0] & ~(UINT32_C (0x7f) << guess->kind->id_shift))
		       | (uint32_t) search->id << guess->kind->id_shift;
  struct tb_guess_source source;
  tb_guess_make_source (guess, &source);
  struct tb_diag silent = { 0 };
  struct tb_decoder_config config = *search->config;
  config.source = &source.device;
  config.buffer = &search->buffer;
  config.protocol = guess->protocol;
  struct tb_decoder *decoder = tb_decoder_open (&config, &silent);
  /* The unit has an ID and a buffer: nothing but memory can be missing, and without this
     trial another kind would be taken.  */
  if (decoder == NULL)
    return false;
  struct tb_trial *trial = &guess->trial;
  struct tb_packet_count counts[PACKET_TYPES] = { { 0, 0 } };
  if (guess->protocol->npacket_types < PACKET_TYPES)
    decoder->packet_counts = counts;
  count_elements (trial, decoder, search->reads_code ? search->config->map : NULL);
  for (unsigned i = 0; i < PACKET_TYPES; i++)
    trial->packet_types |= (uint64_t) (counts[i].packets > 0) << i;
  bool done = !tb_decoder_no_memory (decoder);
  trial->bytes = decoder->stats.bytes;
  trial->skipped = decoder->stats.skipped;
  trial->packets = decoder->stats.packets;
  trial->bad = decoder->stats.bad_packets;
  trial->syncs = decoder->stats.syncs;
  trial->contradictions = decoder->stats.bad_image;
  tb_decoder_close (decoder);
  guess->cost = trial->skipped + BAD_COST * trial->bad;
  guess->path_cost = trial->lost + CONTRADICTION_COST * trial->contradictions;
  return done;
}

/* Is COST so much less than BEFORE that it is no chance?  */
static bool
is_less (uint64_t cost, uint64_t before)
{
  return cost < before && before - cost > before / GAIN;
}

/* Does less speak against A than against B?  First count the packets: where there are none
   nothing contradicts, either.  */
static bool
is_better (const struct tb_guess *a, const struct tb_guess *b)
{
  return is_less (a->cost, b->cost)
	 || (!is_less (b->cost, a->cost) && is_less (a->path_cost, b->path_cost));
}

/* Is A more likely than B, of another kind?  Where nothing else speaks for one of them, that the
   trace does not tell of returns from exceptions speaks for units that need not.  Settings are
   not compared so: with better ones there is more of the path, and of returns.  */
static bool
is_likelier (const struct tb_guess *a, const struct tb_guess *b)
{
  return is_better (a, b)
	 || (!is_better (b, a) && a->trial.returns < b->trial.returns);
}

/* Does A make less sense of the trace than B, which has a greater number in place?  What A makes
   sense of may be more.  */
static bool
is_worse (const struct tb_guess *a, const struct tb_guess *b)
{
  return a->cost > b->cost
	 || a->trial.contradictions * b->trial.waypoints
	    > b->trial.contradictions * a->trial.waypoints;
}

/* Let GUESS have the least number in setting NUMBER that makes as much sense as the greatest, if
   that one is better than what it has.  *IDLE: the greatest makes no difference.  */
static bool
try_numbers (const struct trials *search, struct tb_guess *guess, unsigned number, bool *idle)
{
  const struct tb_kind_setting *setting = &guess->kind->settings[number];
  unsigned reg = tb_guess_register (guess->kind, setting->id);
  uint32_t low = guess->values[reg] & setting->mask, high = setting->values[1];
  struct tb_guess other = *guess;
  other.values[reg] = (other.values[reg] & ~setting->mask) | high;
  if (!try (search, &other))
    return false;
  *idle = other.cost == guess->cost && other.path_cost == guess->path_cost
	  && other.trial.waypoints == guess->trial.waypoints;
  if (!is_better (&other, guess))
    return true;
  *guess = other;
  while (high - low > 1)
    {
      uint32_t middle = low + (high - low) / 2;
      other = *guess;
      other.values[reg] = (other.values[reg] & ~setting->mask) | middle;
      if (!try (search, &other))
	return false;
      if (is_worse (&other, guess))
	low = middle;
      else
	{
	  high = middle;
	  *guess = other;
	}
    }
  return true;
}

/* Take the values of setting NUMBER by which least speaks against GUESS.  */
static bool
try_setting (const struct trials *search, struct tb_guess *guess, unsigned number)
{
  const struct tb_kind_setting *setting = &guess->kind->settings[number];
  unsigned reg = tb_guess_register (guess->kind, setting->id);
  if (guess->given[reg]
      || (setting->packets != 0 && !(setting->packets & guess->trial.packet_types)))
    return true;
  struct tb_guess best = *guess;
  uint32_t now = guess->values[reg] & setting->mask;
  bool idle = true;
  if (setting->nvalues == 0 && !try_numbers (search, &best, number, &idle))
    return false;
  for (unsigned i = 0; i < setting->nvalues; i++)
    {
      struct tb_guess other = *guess;
      if (setting->values[i] == now)
	continue;
      other.values[reg] = (other.values[reg] & ~setting->mask) | setting->values[i];
      if (!try (search, &other))
	return false;
      idle &= other.cost == guess->cost && other.path_cost == guess->path_cost
	      && other.trial.waypoints == guess->trial.waypoints;
      if (is_better (&other, &best))
	best = other;
    }
  struct tb_trial before = guess->trial;
  bool changed = best.values[reg] != guess->values[reg];
  *guess = best;
  guess->idle[number] = idle;
  if (changed)
    {
      guess->changed[number] = (best.values[reg] & setting->mask) != setting->values[0];
      guess->instead[number] = before;
    }
  return true;
}

/* Find the best settings of GUESS.  */
static bool
refine (const struct trials *search, struct tb_guess *guess)
{
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      uint64_t before = guess->cost, path_before = guess->path_cost;
      for (unsigned i = 0; i < guess->kind->nsettings; i++)
	if (!try_setting (search, guess, i))
	  return false;
      if (guess->cost == before && guess->path_cost == path_before)
	break;
    }
  return true;
}

/* Let GUESS have the registers that DEVICE, which may be NULL, has.  */
static void
take_given (struct tb_guess *guess, const struct tb_device *device)
{
  for (unsigned i = 0; i < guess->kind->nregisters; i++)
    {
      const struct tb_kind_register *its = &guess->kind->registers[i];
      const struct tb_device_reg *reg
	= device != NULL ? tb_device_reg_id (device, its->id, its->name) : NULL;
      guess->given[i] = reg != NULL;
      guess->values[i] = reg != NULL ? (uint32_t) reg->value : its->value;
    }
}

/* May KIND of PROTOCOL be the unit that CONFIG asks for?  */
static bool
is_asked (const struct tb_decoder_config *config, const struct tb_protocol *protocol,
	  const struct tb_kind *kind)
{
  if (config->protocol != NULL && config->protocol != protocol)
    return false;
  const char *type = config->source != NULL ? config->source->type : "";
  if (*type != '\0'
      && (!protocol->matches (type)
	  || (strncasecmp (type, "ETE", 3) == 0) != (strcmp (kind->type, "ETE") == 0)))
    return false;
  return kind->profile == 0 || protocol->software || config->profile == NULL
	 || (kind->profile == 'M') == config->profile->is_m;
}

/* Is the type of the unit that CONFIG asks for told?  */
static bool
is_told (const struct tb_decoder_config *config)
{
  return config->source != NULL && *config->source->type != '\0';
}

/* Does the core of CONFIG have no unit of KIND?  What is told of the unit counts more than what is
   told of the core.  */
static bool
is_strange (const struct tb_decoder_config *config, const struct tb_kind *kind)
{
  if (is_told (config) || config->profile == NULL || kind->profile == 0)
    return false;
  enum tb_m_etm etm = config->profile->etm;
  if (kind->profile == 'M')
    return etm != TB_M_ETM_ANY
	   && etm != (strcmp (kind->type, "ETM4") == 0 ? TB_M_ETM_4 : TB_M_ETM_3);
  enum tb_ete ete = config->profile->ete;
  return (strcmp (kind->type, "ETE") == 0 && ete == TB_ETE_NEVER)
	 || (strcmp (kind->type, "ETM4") == 0 && ete == TB_ETE_ALWAYS);
}

bool
tb_guess_is_likely (const struct tb_guess *guess)
{
  const struct tb_trial *t = &guess->trial;
  return t->syncs > 0 && t->skipped < t->bytes && t->bad < t->packets / 8 + 1
	 && t->skipped <= t->bytes / 2;
}

/* Is GUESS, whose kind its core does not have, better than *BEST, if that is one: packets that
   BEST's kind does not have, and no other doubt?  Where the core is not what it is called, both are
   equal.  ETMv3 and ETMv4 have few packets in common, so that of the M profile the packets alone
   show which it is.  */
static bool
is_evident (const struct tb_guess *guess, const struct tb_guess *best, bool found)
{
  if (found && guess->kind->profile == 'M')
    return is_less (guess->cost, best->cost);
  if (found && best->core == TB_GUESS_CORE_MISNAMED)
    return is_likelier (guess, best);
  return !found || (guess->trial.bad == 0 && best->trial.bad > 0
		    && guess->trial.skipped <= best->trial.skipped
		    && !is_less (best->path_cost, guess->path_cost));
}

/* Find the best unit, of kinds that the core has, or does not have where STRANGE.  *FOUND: *GUESS
   is likely; otherwise it is what synchronises, if anything.  */
static bool
find_kind (const struct trials *search, struct tb_guess *guess, bool strange, bool *found)
{
  const struct tb_decoder_config *config = search->config;
  const struct tb_protocol *protocol;
  for (size_t i = 0; (protocol = tb_protocol_number (i)) != NULL; i++)
    for (unsigned k = 0; k < protocol->nkinds; k++)
      {
	struct tb_guess next = { .protocol = protocol, .kind = &protocol->kinds[k] };
	if (!is_asked (config, protocol, next.kind)
	    || is_strange (config, next.kind) != strange)
	  continue;
	take_given (&next, config->source);
	if (!try (search, &next)
	    || (next.trial.syncs > 0 && !refine (search, &next)))
	  return false;
	bool likely = tb_guess_is_likely (&next);
	if (likely && (strange ? is_evident (&next, guess, *found)
			       : !*found || is_likelier (&next, guess)))
	  {
	    *guess = next;
	    *found = true;
	  }
	else if (!*found && next.trial.syncs > 0
		 && (guess->trial.syncs == 0 || is_better (&next, guess)))
	  *guess = next;
      }
  return true;
}

/* Let NEXT have the settings of GUESS, as far as its kind has such.  */
static void
adopt (struct tb_guess *next, const struct tb_guess *guess)
{
  for (unsigned i = 0; i < next->kind->nsettings; i++)
    for (unsigned j = 0; j < guess->kind->nsettings; j++)
      {
	const struct tb_kind_setting *its = &next->kind->settings[i];
	const struct tb_kind_setting *of = &guess->kind->settings[j];
	if (its->id != of->id || its->mask != of->mask)
	  continue;
	uint32_t *value = &next->values[tb_guess_register (next->kind, its->id)];
	*value = (*value & ~its->mask)
		 | (guess->values[tb_guess_register (guess->kind, of->id)] & of->mask);
      }
}

/* Is the core of SEARCH not what it is called, by what ran as GUESS says?  Cores with an ETMv4 have
   no system registers for it (ID_AA64DFR0_EL1.TraceVer is 0 in their manuals), so that none of
   their instructions goes past one; and ETMv4 tells each return from an exception (IHI 0064), of
   which there are, and none is told.  *MISNAMED says so.  False: no memory, or the effort is
   spent.  */
static bool
find_misnamed (struct trials *search, const struct tb_guess *guess, bool *misnamed)
{
  const struct tb_profile *profile = search->config->profile;
  struct tb_guess again = *guess;
  *misnamed = false;
  if (profile == NULL || profile->ete != TB_ETE_NEVER || guess->trial.returns == 0
      || guess->trial.told_returns > 0)
    return true;
  search->reads_code = true;
  bool done = try (search, &again);
  search->reads_code = false;
  *misnamed = again.trial.own_registers;
  return done;
}

/* Note in GUESS the other kind of its protocol whose packets the trace may be as well.  */
static bool
find_rival (const struct trials *search, struct tb_guess *guess)
{
  for (unsigned k = 0; k < guess->protocol->nkinds; k++)
    {
      struct tb_guess next = { .protocol = guess->protocol,
			       .kind = &guess->protocol->kinds[k] };
      if (next.kind == guess->kind || !is_asked (search->config, next.protocol, next.kind))
	continue;
      take_given (&next, search->config->source);
      adopt (&next, guess);
      if (!try (search, &next))
	return false;
      if (tb_guess_is_likely (&next) && !is_less (guess->cost, next.cost))
	guess->rival = next.kind;
    }
  return true;
}

int
tb_guess_find (struct tb_guess *guess, const struct tb_decoder_config *config,
	       unsigned id, struct tb_guess_effort *effort)
{
  struct trials search = { .config = config, .id = id, .effort = effort };
  bool found = false, misnamed = false;
  enum tb_guess_core core = TB_GUESS_CORE_FITS;
  *guess = (struct tb_guess) { .protocol = NULL };
  bool done = cut_buffer (&search, config->buffer, TRIED)
	      && find_kind (&search, guess, false, &found);
  /* What the core is called may be wrong, of a model above all.  */
  if (done && !is_told (config) && found)
    done = find_misnamed (&search, guess, &misnamed);
  if (misnamed)
    core = TB_GUESS_CORE_MISNAMED;
  guess->core = core;
  if (done && !is_told (config) && (!found || guess->trial.bad > 0 || misnamed
				      || (guess->kind->profile == 'M' && guess->cost > 0)))
    done = find_kind (&search, guess, true, &found);
  if (found && guess->kind->profile == 'M' && is_strange (config, guess->kind))
    core = TB_GUESS_CORE_OPEN;
  guess->core = core;
  if (done && !is_told (config) && found)
    done = find_rival (&search, guess);
  free (search.spans);
  return done ? found : -1;
}

bool
tb_guess_try (struct tb_guess *guess, const struct tb_decoder_config *config,
	      unsigned id, struct tb_guess_effort *effort)
{
  struct trials search = { .config = config, .id = id, .effort = effort };
  bool done = cut_buffer (&search, config->buffer, TRIED) && try (&search, guess);
  free (search.spans);
  return done;
}
