// One training shared out among many workers: the reader sets the model, how many workers there are and
// how they share, and sees what each holds, what it sends, and how long the stages of a pipeline wait.

(() => {
  "use strict";
  const { choice, slider } = SoftLookup.controls;
  const { picture, whole } = SoftLookup.pictures;
  const { holds, sends, unequal } = SoftLookup.parallelCosts;
  const { planned } = SoftLookup.timetables;
  const { WAYS, problem, told, numbers, seen } = SoftLookup.manyWorkersWords;
  const panels = SoftLookup.manyWorkersPanels;
  const { config } = SoftLookup.weights.get("past-one-machine");
  const models = /** @type {ParallelModel[]} */ (config.models);
  const device = /** @type {number} */ (config.device_bytes);
  const KINDS = /** @type {ParallelKind[]} */ (["data", "sharded", "tensor", "pipeline"]);
  const BEGIN = {
    model: models.findIndex(({ name }) => name.startsWith("Llama 2, 70")),
    way: /** @type {WayToTrain} */ ("data"),
    workers: 16,
    batch: 768,
    microBatches: 16,
  };

  class PastOneMachine extends SoftLookup.Figure {
    model = BEGIN.model;
    way = BEGIN.way;
    workers = BEGIN.workers;
    batch = BEGIN.batch;
    microBatches = BEGIN.microBatches;

    build() {
      this.chosenModel = choice(this.controls, "The model", {
        options: models.map(({ name }, i) => [String(i), name]),
        value: String(this.model),
        changed: (model) => {
          this.model = Number(model);
          this.update();
        },
      });
      this.chosenWay = choice(this.controls, "How the workers share", {
        options: WAYS,
        value: this.way,
        changed: (way) => {
          this.way = /** @type {WayToTrain} */ (way);
          this.update();
        },
      });
      this.sliders = {
        workers: this.turned("Workers, p", "workers", config.workers),
        batch: this.turned("Texts in a batch", "batch", config.batches),
        microBatches: this.turned("Micro-batches, m", "microBatches", config.micro_batches),
      };
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    /** A slider over what the figure was given. @param {string} label @param {"workers" | "batch" | "microBatches"} name @param {number[]} stops */
    turned(label, name, stops) {
      return slider(this.controls, label, {
        stops,
        value: this[name],
        format: whole,
        changed: (value) => {
          this[name] = value;
          this.update();
        },
      });
    }

    reset() {
      Object.assign(this, BEGIN);
      if (this.chosenModel) this.chosenModel.value = String(BEGIN.model);
      if (this.chosenWay) this.chosenWay.value = BEGIN.way;
      this.sliders?.workers.set(BEGIN.workers);
      this.sliders?.batch.set(BEGIN.batch);
      this.sliders?.microBatches.set(BEGIN.microBatches);
    }

    /** All that is shown. @returns {ManyWorkers} */
    now() {
      const { way, workers, batch, microBatches } = this;
      const model = models[this.model];
      const kinds = KINDS.map((kind) => {
        const reason = unequal(kind, model, workers, batch, microBatches);
        return {
          kind,
          unequal: reason,
          holds: holds(kind, model, workers),
          sends: sends(kind, model, workers, batch),
        };
      });
      const piped = way === "gpipe" || way === "1f1b";
      const own = kinds[piped ? KINDS.indexOf("pipeline") : KINDS.indexOf(way)];
      const shown = { model, way, workers, batch, microBatches, kinds, own, table: null };
      if (!piped || problem(shown)) return shown;
      return { ...shown, table: planned(way, workers, microBatches) };
    }

    update() {
      const shown = this.now();
      this.drawn?.redraw();
      this.complain(problem(shown), this.sliders?.workers.input);
      this.list(numbers(shown));
      this.say(told(shown, device));
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const shown = this.now();
      const counted = panels.bytes(svg, width, shown, device);
      const height = shown.table ? panels.stages(svg, width, counted, shown.table) : counted;
      return { height, alt: seen(shown, device) };
    }
  }

  customElements.define("past-one-machine", PastOneMachine);
})();
