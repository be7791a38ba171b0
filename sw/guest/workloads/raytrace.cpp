// A ray tracer in double precision: spheres in a bounding-volume hierarchy over a checkered floor,
// shadows, mirrors, glass. The picture goes into a checksum and a small view in characters.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "workload.h"

namespace {

struct Vector {
  double x, y, z;
};

Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(Vector a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector unit(Vector a) { return a * (1 / std::sqrt(dot(a, a))); }
Vector reflect(Vector d, Vector n) { return d - n * (2 * dot(d, n)); }

struct Ray {
  Vector origin, direction;
};

enum class Surface { kMatt, kMirror, kGlass };

struct Sphere {
  Vector centre;
  double radius;
  double shade;
  Surface surface;
};

struct Box {
  Vector low, high;
};

struct Hit {
  double distance = 1e30;
  const Sphere* sphere = nullptr;
};

constexpr double kEpsilon = 1e-6;

Box box_of(const Sphere& s) {
  Vector r = {s.radius, s.radius, s.radius};
  return {s.centre - r, s.centre + r};
}

Box join(const Box& a, const Box& b) {
  return {
      {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
      {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

bool is_crossed(const Box& box, const Ray& ray, Vector inverse, double limit) {
  double near = 0, far = limit;
  auto cut = [&near, &far](double low, double high, double from, double scale) {
    double a = (low - from) * scale, b = (high - from) * scale;
    if (a > b) std::swap(a, b);
    near = std::max(near, a);
    far = std::min(far, b);
    return near <= far;
  };
  return cut(box.low.x, box.high.x, ray.origin.x, inverse.x) &&
         cut(box.low.y, box.high.y, ray.origin.y, inverse.y) &&
         cut(box.low.z, box.high.z, ray.origin.z, inverse.z);
}

// Splits at the middle sphere along the longest side; leaves hold up to four.
class Hierarchy {
 public:
  explicit Hierarchy(std::vector<Sphere> spheres) : spheres_(std::move(spheres)) {
    build(0, spheres_.size());
  }

  void intersect(const Ray& ray, Hit& hit) const {
    Vector inverse = {1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
    size_t stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const Node& node = nodes_[stack[--depth]];
      if (!is_crossed(node.box, ray, inverse, hit.distance)) continue;
      if (node.right == 0) {
        for (size_t i = node.first; i < node.last; ++i) intersect_sphere(spheres_[i], ray, hit);
      } else {
        stack[depth++] = node.right;
        stack[depth++] = static_cast<size_t>(&node - nodes_.data()) + 1;
      }
    }
  }

 private:
  struct Node {
    Box box;
    size_t first, last;
    size_t right;  // the left child is the next node; 0 for a leaf
  };

  static double along(const Sphere& s, int axis) {
    return axis == 0 ? s.centre.x : axis == 1 ? s.centre.y : s.centre.z;
  }

  void build(size_t first, size_t last) {
    Box box = box_of(spheres_[first]);
    for (size_t i = first + 1; i < last; ++i) box = join(box, box_of(spheres_[i]));
    size_t self = nodes_.size();
    nodes_.push_back({box, first, last, 0});
    if (last - first <= 4) return;
    Vector size = box.high - box.low;
    int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    auto begin = spheres_.begin();
    std::sort(begin + static_cast<long>(first), begin + static_cast<long>(last),
              [axis](const Sphere& a, const Sphere& b) { return along(a, axis) < along(b, axis); });
    size_t middle = (first + last) / 2;
    build(first, middle);
    nodes_[self].right = nodes_.size();
    build(middle, last);
  }

  static void intersect_sphere(const Sphere& s, const Ray& ray, Hit& hit) {
    Vector to = s.centre - ray.origin;
    double middle = dot(to, ray.direction);
    double square = s.radius * s.radius - (dot(to, to) - middle * middle);
    if (square < 0) return;
    double half = std::sqrt(square);
    double distance = middle - half > kEpsilon ? middle - half : middle + half;
    if (distance <= kEpsilon || distance >= hit.distance) return;
    hit.distance = distance;
    hit.sphere = &s;
  }

  std::vector<Sphere> spheres_;
  std::vector<Node> nodes_;
};

class Tracer {
 public:
  explicit Tracer(std::vector<Sphere> spheres) : scene_(std::move(spheres)) {}

  double trace(const Ray& ray, int depth) {
    ++rays_;
    Hit hit;
    scene_.intersect(ray, hit);
    double floor = ray.direction.y < -kEpsilon ? -ray.origin.y / ray.direction.y : 1e30;
    if (floor > kEpsilon && floor < hit.distance) return shade_floor(ray, floor, depth);
    if (hit.sphere == nullptr) return 0.4 + 0.5 * std::pow(std::max(0.0, ray.direction.y), 0.5);
    Vector point = ray.origin + ray.direction * hit.distance;
    Vector normal = (point - hit.sphere->centre) * (1 / hit.sphere->radius);
    switch (hit.sphere->surface) {
      case Surface::kMirror:
        if (depth == 0) return 0.5;
        return 0.9 * trace({point + normal * kEpsilon, reflect(ray.direction, normal)}, depth - 1);
      case Surface::kGlass:
        return shade_glass(ray, point, normal, depth);
      default:
        return hit.sphere->shade * light(point + normal * kEpsilon, normal);
    }
  }

  uint64_t rays() const { return rays_; }

 private:
  double light(Vector point, Vector normal) {
    Vector direction = unit(Vector{4, 7, -3} - point);
    double facing = dot(direction, normal);
    if (facing <= 0) return 0.15;
    ++rays_;
    Hit hit;
    scene_.intersect({point, direction}, hit);
    return hit.sphere != nullptr ? 0.15 : 0.15 + 0.85 * facing;
  }

  double shade_floor(const Ray& ray, double distance, int depth) {
    Vector point = ray.origin + ray.direction * distance;
    bool dark = (static_cast<int>(std::floor(point.x)) + static_cast<int>(std::floor(point.z))) & 1;
    Vector up = {0, 1, 0};
    double direct = (dark ? 0.3 : 0.8) * light(point + up * kEpsilon, up);
    if (!dark || depth == 0) return direct;
    return direct + 0.2 * trace({point + up * kEpsilon, reflect(ray.direction, up)}, depth - 1);
  }

  double shade_glass(const Ray& ray, Vector point, Vector normal, int depth) {
    if (depth == 0) return 0.5;
    double cosine = -dot(ray.direction, normal), index = 1 / 1.5;
    if (cosine < 0) {  // leaving
      normal = normal * -1;
      cosine = -cosine;
      index = 1.5;
    }
    double square = 1 - index * index * (1 - cosine * cosine);
    Ray mirrored = {point + normal * kEpsilon, reflect(ray.direction, normal)};
    if (square < 0) return trace(mirrored, depth - 1);
    Vector bent = unit(ray.direction * index + normal * (index * cosine - std::sqrt(square)));
    double share = 0.04 + 0.96 * std::pow(1 - cosine, 5.0);
    double through = trace({point - normal * kEpsilon, bent}, depth - 1);
    return share < 0.1 ? through : share * trace(mirrored, depth - 1) + (1 - share) * through;
  }

  Hierarchy scene_;
  uint64_t rays_ = 0;
};

std::vector<Sphere> generate(int count, uint64_t* random) {
  std::vector<Sphere> spheres;
  auto real = [random](double low, double high) {
    return low + (high - low) * static_cast<double>(random_below(random, 1 << 24)) / (1 << 24);
  };
  for (int i = 0; i < count; ++i) {
    double radius = real(0.1, 0.45);
    Vector centre = {real(-5, 5), radius + real(0, 2), real(0, 10)};
    uint32_t choice = random_below(random, 6);
    Surface surface = choice == 0   ? Surface::kMirror
                      : choice == 1 ? Surface::kGlass
                                    : Surface::kMatt;
    spheres.push_back({centre, radius, real(0.4, 1), surface});
  }
  return spheres;
}

}  // namespace

int main(int argc, char** argv) {
  static const int widths[] = {48, 96, 192};
  static const int sphere_counts[] = {20, 100, 400};
  workload_size_t which = workload_size(argc, argv);
  int width = widths[which], height = width * 2 / 3;
  uint64_t random = 8, sum = CHECKSUM_START;
  Tracer tracer(generate(sphere_counts[which], &random));

  std::vector<int> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      Vector direction = {(x + 0.5) / width - 0.5, 0.35 - (y + 0.5) / width, 0.8};
      double shade = tracer.trace({{0, 1.6, -4}, unit(direction)}, 5);
      int level = static_cast<int>(std::min(255.0, std::max(0.0, shade * 255)));
      pixels.push_back(level);
      sum = checksum_word(sum, static_cast<uint64_t>(level));
    }
  }
  printf("raytrace: %d x %d pixels, %llu rays\n", width, height,
         static_cast<unsigned long long>(tracer.rays()));
  int step = width / 24;
  for (int y = 0; y < height; y += 2 * step) {
    for (int x = 0; x < width; x += step)
      putchar(" .:-=+*#%@"[pixels[static_cast<size_t>(y * width + x)] * 10 / 256]);
    putchar('\n');
  }
  printf("checksum %016llx\n", static_cast<unsigned long long>(sum));
  return 0;
}
