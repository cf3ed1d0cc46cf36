// The tray in three dimensions: felt, rim, nine dice, the aim. It draws one picture when it is asked to.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  HemisphereLight,
  LineDashedMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Raycaster,
  RepeatWrapping,
  RingGeometry,
  Scene,
  ShadowMaterial,
  Shape,
  ShapeGeometry,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Material,
} from "three";
import { arrow, swath, type Aim, type Spot } from "./aim";
import { dieBody, type Colour, type Paint } from "./body";
import { stand, type Box } from "./framing";
import { CIRCUMRADIUS, DICE, INRADIUS, RADIUS, SIDES, type Pose } from "./shape";
import { BODIES, FELT, GLOW, SPOTS, WOOD } from "./colours";

const STEEP = (65 * Math.PI) / 180;
const VIEW = 26;
const SHARPEST = 2;
const RIM = { width: 1.5, height: 1.9 };
const LAYER = { seam: 0.01, mark: 0.02, cone: 0.03, arrow: 0.05 };

function linear(style: string): Colour {
  const { r, g, b } = new Color(style);
  return [r, g, b];
}

function octagon(radius: number): Vector2[] {
  const far = radius / Math.cos(Math.PI / SIDES);
  return Array.from({ length: SIDES }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / SIDES;
    return new Vector2(far * Math.cos(angle), far * Math.sin(angle));
  });
}

/** A square of the stuff, drawn by a hand that always draws the same. */
function stuff(size: number, draw: (context: CanvasRenderingContext2D, random: () => number) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  let seed = 7;
  const random = () => ((seed = (seed * 16807) % 2147483647) - 1) / 2147483646;
  draw(canvas.getContext("2d")!, random);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

function feltStuff(): CanvasTexture {
  return stuff(256, (context, random) => {
    context.fillStyle = "#e4e4e4";
    context.fillRect(0, 0, 256, 256);
    for (let k = 0; k < 9000; k += 1) {
      const light = random() < 0.5;
      context.strokeStyle = light ? "rgba(255,255,255,0.12)" : "rgba(0,0,0,0.07)";
      const [x, y, angle] = [random() * 256, random() * 256, random() * Math.PI];
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 4 * Math.cos(angle), y + 4 * Math.sin(angle));
      context.stroke();
    }
  });
}

function woodStuff(): CanvasTexture {
  return stuff(256, (context, random) => {
    context.fillStyle = WOOD.light;
    context.fillRect(0, 0, 256, 256);
    for (let k = 0; k < 90; k += 1) {
      const y = random() * 256;
      context.strokeStyle = WOOD.grain;
      context.globalAlpha = 0.05 + 0.2 * random();
      context.lineWidth = 0.5 + 2.5 * random();
      context.beginPath();
      context.moveTo(0, y);
      context.bezierCurveTo(85, y + 8 * random() - 4, 170, y + 8 * random() - 4, 256, y);
      context.stroke();
    }
  });
}

/** What lies nearest to the felt is darkest: a soft spot under each die. */
function contactStuff(): CanvasTexture {
  const texture = stuff(64, (context) => {
    const round = context.createRadialGradient(32, 32, 6, 32, 32, 31);
    round.addColorStop(0, "rgba(0,0,0,0.55)");
    round.addColorStop(0.6, "rgba(0,0,0,0.3)");
    round.addColorStop(1, "rgba(0,0,0,0)");
    context.fillStyle = round;
    context.fillRect(0, 0, 64, 64);
  });
  return texture;
}

interface Die {
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  contact: Mesh<PlaneGeometry, MeshBasicMaterial>;
}

export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(VIEW, 1, 1, 400);
  readonly #dice = new Map<string, Die>();
  readonly #aim = new Group();
  readonly #ring: Mesh<RingGeometry, MeshBasicMaterial>;
  readonly #felt: MeshLambertMaterial;
  readonly #sky: HemisphereLight;
  readonly #key: DirectionalLight;
  #size = { width: 1, height: 1 };

  constructor(readonly canvas: HTMLCanvasElement) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#felt = new MeshLambertMaterial({ map: feltStuff() });
    this.#felt.map!.repeat.set(1 / 5, 1 / 5);
    this.#sky = new HemisphereLight(0xffffff, 0x8a8f80, 1.6);
    this.#key = this.#light();
    this.#build();
    this.#ring = this.#mark();
    this.#scene.add(this.#sky, this.#key, this.#key.target, this.#aim, this.#ring);
    this.dark(false);
  }

  /** The room is dark, or light: the lamp over the tray stays. */
  dark(dark: boolean): void {
    this.#felt.color.set(dark ? FELT.dark : FELT.light);
    this.#sky.intensity = dark ? 1.25 : 1.6;
  }

  resize(width: number, height: number): void {
    this.#size = { width, height };
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, SHARPEST));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
  }

  /** Put the dice there; those that are not named are not seen. What a hand holds lets the table show through. */
  place(poses: ReadonlyMap<string, Pose>, held = false): void {
    for (const [name, { mesh, contact }] of this.#dice) {
      const pose = poses.get(name);
      mesh.visible = contact.visible = pose !== undefined;
      if (!pose) continue;
      const [x, y, z] = pose.at;
      const [qw, qx, qy, qz] = pose.turn;
      mesh.position.set(x, y, z);
      mesh.quaternion.set(qx, qy, qz, qw);
      const through = held && z > 2 * INRADIUS;
      mesh.material.transparent = through;
      mesh.material.opacity = through ? 0.8 : 1;
      const low = Math.max(0, 1 - (z - INRADIUS) / 2.5);
      contact.position.set(x, y, LAYER.mark);
      contact.material.opacity = low;
      contact.visible = low > 0;
    }
  }

  /** Look at this part of the table. */
  look(box: Box): void {
    const lens = { steep: STEEP, tall: Math.tan((VIEW * Math.PI) / 360), aspect: this.#camera.aspect };
    const { at, distance } = stand(box, lens);
    this.#camera.up.set(0, 0, 1);
    this.#camera.position.set(at[0], at[1] - distance * Math.cos(STEEP), distance * Math.sin(STEEP));
    this.#camera.lookAt(...at);
    this.#camera.updateMatrixWorld();
  }

  /** Show where a throw goes: an arrow for direction and strength, and the swath of the three dice. */
  aim(aim: Aim | null, fine = true): void {
    for (const child of [...this.#aim.children] as Mesh<BufferGeometry, Material>[]) {
      this.#aim.remove(child);
      child.geometry.dispose();
      child.material.dispose();
    }
    if (!aim) return;
    const colour = fine ? GLOW.fine : GLOW.bad;
    this.#aim.add(drawnSwath(aim, colour), drawnArrow(aim, colour));
  }

  /** Mark the die that is aimed at. */
  mark(spot: Spot | null): void {
    this.#ring.visible = spot !== null;
    if (spot) this.#ring.position.set(spot.x, spot.y, LAYER.arrow);
  }

  /** The point of the felt at a place of the picture. */
  toTable(x: number, y: number): Spot | null {
    const caster = new Raycaster();
    const at = new Vector2((2 * x) / this.#size.width - 1, 1 - (2 * y) / this.#size.height);
    caster.setFromCamera(at, this.#camera);
    const hit = caster.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -INRADIUS), new Vector3());
    return hit ? { x: hit.x, y: hit.y } : null;
  }

  /** The place in the picture of a die that lies there. */
  toScreen({ x, y }: Spot, z = INRADIUS): Spot {
    const at = new Vector3(x, y, z).project(this.#camera);
    return { x: ((at.x + 1) / 2) * this.#size.width, y: ((1 - at.y) / 2) * this.#size.height };
  }

  draw(): void {
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** Give back everything that the graphics card holds. */
  dispose(): void {
    const gone = new Set<{ dispose: () => void }>();
    this.#scene.traverse((thing) => {
      if (!(thing instanceof Mesh || thing instanceof LineLoop)) return;
      const { geometry, material } = thing as Mesh<BufferGeometry, MeshLambertMaterial>;
      gone.add(geometry).add(material);
      if (material.map) gone.add(material.map);
    });
    for (const thing of gone) thing.dispose();
    this.#key.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  #light(): DirectionalLight {
    const key = new DirectionalLight(0xfff4e2, 2.2);
    key.position.set(-13, 20, 34);
    key.castShadow = true;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.radius = 4;
    key.shadow.bias = -0.002;
    key.shadow.normalBias = 0.02;
    const reach = RADIUS + 6;
    Object.assign(key.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 5, far: 80 });
    return key;
  }

  #build(): void {
    const floor = new Mesh(new ShapeGeometry(new Shape(octagon(RADIUS + 0.2))), this.#felt);
    floor.receiveShadow = true;
    this.#scene.add(floor, seam(), rim(), table());
    const contact = new MeshBasicMaterial({ map: contactStuff(), transparent: true, depthWrite: false });
    const under = new PlaneGeometry(2.9, 2.9);
    for (const [set, colour] of Object.entries(BODIES)) {
      const geometry = dieGeometry(colour);
      for (const name of DICE.filter((die) => die.startsWith(set))) {
        const mesh = new Mesh(geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.55 }));
        mesh.castShadow = mesh.receiveShadow = true;
        const die = { mesh, contact: new Mesh(under, contact.clone()) };
        this.#dice.set(name, die);
        this.#scene.add(die.mesh, die.contact);
      }
    }
    contact.dispose();
  }

  #mark(): Mesh<RingGeometry, MeshBasicMaterial> {
    const material = new MeshBasicMaterial({ color: GLOW.fine, transparent: true, opacity: 0.95, depthWrite: false });
    const ring = new Mesh(new RingGeometry(CIRCUMRADIUS + 0.16, CIRCUMRADIUS + 0.42, 48), material);
    ring.visible = false;
    return ring;
  }
}

function dieGeometry(colour: string): BufferGeometry {
  const spots = Object.fromEntries(
    Object.entries(SPOTS).map(([letter, { fill, line }]) => [letter, { fill: linear(fill), line: linear(line) }]),
  );
  const paint: Paint = { body: linear(colour), spots };
  const { positions, normals, colours } = dieBody(paint);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
  return geometry;
}

/** Eight planks, mitred: the grain runs along each. */
function rim(): Group {
  const half = (radius: number) => radius * Math.tan(Math.PI / SIDES);
  const [inner, outer] = [RADIUS, RADIUS + RIM.width];
  const shape = new Shape([
    new Vector2(-half(inner), inner),
    new Vector2(half(inner), inner),
    new Vector2(half(outer), outer),
    new Vector2(-half(outer), outer),
  ]);
  const bevel = { bevelThickness: 0.25, bevelSize: 0.22, bevelOffset: -0.22, bevelSegments: 3 };
  const geometry = new ExtrudeGeometry(shape, { depth: RIM.height - 0.25, ...bevel });
  const map = woodStuff();
  map.repeat.set(1 / 7, 1 / 5);
  const material = new MeshStandardMaterial({ map, roughness: 0.62 });
  const planks = new Group();
  for (let k = 0; k < SIDES; k += 1) {
    const plank = new Mesh(geometry, material);
    plank.rotation.z = (2 * Math.PI * k) / SIDES;
    plank.castShadow = plank.receiveShadow = true;
    planks.add(plank);
  }
  return planks;
}

/** The stitches that hold the felt. */
function seam(): LineLoop {
  const geometry = new BufferGeometry().setFromPoints(
    octagon(RADIUS - 0.75).map(({ x, y }) => new Vector3(x, y, LAYER.seam)),
  );
  const look = { color: 0xffffff, transparent: true, opacity: 0.3, dashSize: 0.42, gapSize: 0.3 };
  const line = new LineLoop(geometry, new LineDashedMaterial(look));
  line.computeLineDistances();
  return line;
}

/** What is outside the tray: only its shadow is seen on the page. */
function table(): Mesh {
  const mesh = new Mesh(new PlaneGeometry(120, 120), new ShadowMaterial({ opacity: 0.28 }));
  mesh.position.z = -0.3;
  mesh.receiveShadow = true;
  return mesh;
}

function drawnArrow(aim: Aim, color: string): Mesh {
  const shape = new Shape(arrow(aim).map(({ x, y }) => new Vector2(x, y)));
  const look = { color, transparent: true, opacity: 0.95, side: DoubleSide, depthWrite: false };
  const mesh = new Mesh(new ShapeGeometry(shape), new MeshBasicMaterial(look));
  mesh.position.z = LAYER.arrow;
  return mesh;
}

/** The swath of the three dice, fading out where it ends. */
function drawnSwath(aim: Aim, color: string): Mesh {
  const [r, g, b] = linear(color);
  const colours = [0.42, 0.42, 0, 0].flatMap((alpha) => [r, g, b, alpha]);
  const geometry = new BufferGeometry();
  const places = swath(aim).flatMap(({ x, y }) => [x, y, LAYER.cone]);
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 4));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  const look = { vertexColors: true, transparent: true, side: DoubleSide, depthWrite: false };
  return new Mesh(geometry, new MeshBasicMaterial(look));
}
